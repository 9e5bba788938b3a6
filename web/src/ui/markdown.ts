// The little Markdown that rule pages use: headings, paragraphs, lists, tables, code, strong, emphasis.
// It becomes data, not HTML, so that no page can bring in anything else.

export type Span = { kind: 'text' | 'strong' | 'em' | 'code'; text: string };
export type Block =
  | { kind: 'heading'; level: number; spans: Span[] }
  | { kind: 'paragraph'; spans: Span[] }
  | { kind: 'list'; items: Span[][] }
  | { kind: 'code'; text: string }
  | { kind: 'table'; head: Span[][]; rows: Span[][][] };

export function spans(text: string): Span[] {
  return text
    .split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*]+\*)/)
    .filter((part) => part !== '')
    .map((part): Span => {
      if (part.startsWith('`')) return { kind: 'code', text: part.slice(1, -1) };
      if (part.startsWith('**')) return { kind: 'strong', text: part.slice(2, -2) };
      if (part.startsWith('*') && part.length > 2) return { kind: 'em', text: part.slice(1, -1) };
      return { kind: 'text', text: part };
    });
}

const cells = (line: string) => line.split('|').slice(1, -1).map((cell) => spans(cell.trim()));

export function markdown(source: string): Block[] {
  const blocks: Block[] = [];
  const lines = source.split('\n');
  /** Lines from `at` on for as long as they fit. */
  const run = (at: number, fits: (line: string) => boolean) => {
    let end = at;
    while (end < lines.length && fits(lines[end]!)) end++;
    return lines.slice(at, end);
  };
  const plain = (line: string) => line.trim() !== '' && !/^(#|- |\||```| {4})/.test(line);
  for (let at = 0; at < lines.length; ) {
    const line = lines[at]!;
    const heading = /^(#+) (.*)$/.exec(line);
    if (line.trim() === '') at++;
    else if (heading) {
      blocks.push({ kind: 'heading', level: heading[1]!.length, spans: spans(heading[2]!) });
      at++;
    } else if (line.startsWith('```')) {
      const inside = run(at + 1, (one) => !one.startsWith('```'));
      blocks.push({ kind: 'code', text: inside.join('\n') });
      at += inside.length + 2;
    } else if (line.startsWith('    ')) {
      const inside = run(at, (one) => one.startsWith('    '));
      blocks.push({ kind: 'code', text: inside.map((one) => one.slice(4)).join('\n') });
      at += inside.length;
    } else if (line.startsWith('|')) {
      const inside = run(at, (one) => one.startsWith('|'));
      blocks.push({ kind: 'table', head: cells(inside[0]!), rows: inside.slice(2).map(cells) });
      at += inside.length;
    } else if (line.startsWith('- ')) {
      const inside = run(at, (one) => one.startsWith('- ') || /^ {2}\S/.test(one));
      const items: string[] = [];
      for (const one of inside) one.startsWith('- ') ? items.push(one.slice(2)) : (items[items.length - 1] += ` ${one.trim()}`);
      blocks.push({ kind: 'list', items: items.map(spans) });
      at += inside.length;
    } else {
      const inside = run(at, plain);
      blocks.push({ kind: 'paragraph', spans: spans(inside.join(' ')) });
      at += Math.max(1, inside.length);
    }
  }
  return blocks;
}

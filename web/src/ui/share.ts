// Links to other people: the phone's share sheet where there is one, the clipboard elsewhere.

const sheet = (navigator as Partial<Navigator>).share?.bind(navigator);
export const canShare = sheet !== undefined;

export async function share(url: string, title: string): Promise<void> {
  // Whoever closes the sheet has changed their mind: no error.
  await sheet?.({ title, url }).catch(() => {});
}

/** The clipboard is closed to pages without TLS: there a hidden field is copied from, the old way. */
export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = document.createElement('textarea');
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand('copy');
    field.remove();
  }
}

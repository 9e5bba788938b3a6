// Plays any game by clicking what glows.
import type { Page } from 'playwright-core';

/** Runs in the page. */
function clickOnce(): 'clicked' | 'over' | 'nothing' {
  if (document.querySelector('[data-over]')) return 'over';
  const any = (found: NodeListOf<Element>) => found[Math.floor(Math.random() * found.length)];
  // The die first, then what is asked in words or confirmed, then the board.
  const target =
    document.querySelector('button.roll:enabled') ??
    document.querySelector('.board button.primary') ??
    any(document.querySelectorAll('.bubble button, .choices button.visible')) ??
    any(document.querySelectorAll('.board .glow'));
  if (!target) return 'nothing';
  const box = target.getBoundingClientRect();
  target.dispatchEvent(new MouseEvent('click', { bubbles: true, clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 }));
  return 'clicked';
}

/** Until the game is over, or so many clicks were made in all. Gives the number of clicks on each page. */
export async function clickWhatGlows(pages: Page[], clicks = Infinity): Promise<number[]> {
  const patience = 60_000;
  const made = pages.map(() => 0);
  for (let last = Date.now(); made.reduce((sum, each) => sum + each) < clicks; ) {
    const found = await Promise.all(pages.map((page) => page.evaluate(clickOnce)));
    if (found.every((each) => each === 'over')) break;
    found.forEach((each, page) => {
      if (each === 'clicked') made[page]!++;
    });
    if (found.includes('clicked')) last = Date.now();
    else if (Date.now() - last > patience) throw new Error(`nothing glows: ${await pages[0]!.innerText('body')}`);
    await pages[0]!.waitForTimeout(10);
  }
  return made;
}

// Plays any game by clicking what glows.
import type { Page } from 'playwright-core';

/** Until the game is over, or so many clicks were made. Gives the number of clicks. */
export async function clickWhatGlows(page: Page, clicks = Infinity): Promise<number> {
  return page.evaluate(async (clicks) => {
    const any = (found: NodeListOf<Element>) => found[Math.floor(Math.random() * found.length)];
    /** The die first, then what is asked in words, then the board. */
    const next = () =>
      document.querySelector('button.roll:enabled') ??
      any(document.querySelectorAll('.bubble button, .choices button.visible')) ??
      any(document.querySelectorAll('.board .glow'));
    let made = 0;
    for (let quiet = 0; made < clicks && !document.querySelector('[data-over]'); ) {
      const target = next();
      if (target) {
        const box = target.getBoundingClientRect();
        target.dispatchEvent(new MouseEvent('click', { bubbles: true, clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 }));
        made++;
        quiet = 0;
      } else if (++quiet > 3000) throw new Error(`nothing glows: ${document.body.innerText.slice(0, 300)}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return made;
  }, clicks);
}

// Speaks to the worker over the window's own data port, beside the window: for specs that need to know what was acknowledged.
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

declare global {
  interface Window {
    /** The window's data port to the library, once it has been seen at work. */
    dataPort?: MessagePort;
    ask(op: string, params: unknown): Promise<unknown>;
    acknowledged: number;
    /** How often the welcome screen was seen in the page. */
    welcomes: number;
  }
}

/** Makes `window.ask(op, params)` answer in the page. */
export async function joinWire(page: Page): Promise<void> {
  await page.evaluate(() => {
    const post = MessagePort.prototype.postMessage;
    MessagePort.prototype.postMessage = function (this: MessagePort, ...args: unknown[]) {
      const { t, op } = (args[0] ?? {}) as { t?: string; op?: string };
      // Only the library keeps the state of windows. Anything else may go to another engine, or over the control port, like the stop of a read.
      if (t === 'req' && op?.startsWith('state.')) window.dataPort ??= this;
      return post.apply(this, args as [unknown]);
    };
    // Far from the ids the window itself counts up.
    let nextId = 1_000_000_000;
    window.ask = (op, params) =>
      new Promise((resolve, reject) => {
        const id = nextId++;
        const port = window.dataPort!;
        const take = (message: { t: string; id: number; value: unknown; error: { message: string } }): void => {
          if (message.id !== id) return;
          if (message.t === 'chunk') return port.postMessage({ t: 'credit', id, n: 1 });
          port.removeEventListener('message', hear);
          if (message.t === 'ok') resolve(message.value);
          else reject(new Error(message.error.message));
        };
        const hear = ({ data }: MessageEvent): void => (data.t === 'batch' ? data.messages : [data]).forEach(take);
        port.addEventListener('message', hear);
        port.postMessage({ t: 'req', id, op, params });
      });
  });
  // The state is kept a moment after it changed, also by a click here. Clicks, because each counts; a key pressed before the window takes keys
  // is lost, and the list of objects would stay hidden afterwards.
  const toggle = page.getByRole('button', { name: 'Objects', exact: true });
  let clicks = 0;
  const seen = async (): Promise<boolean> => {
    if (await page.evaluate(() => window.dataPort !== undefined)) return true;
    // A window without a database has no objects to show: it asks by itself.
    if (!(await toggle.isEnabled())) return false;
    await toggle.click();
    clicks++;
    return false;
  };
  await expect.poll(seen, { intervals: [1000] }).toBe(true);
  if (clicks % 2 === 1) await toggle.click();
}

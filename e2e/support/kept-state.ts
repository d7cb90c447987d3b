// State that a window keeps for its next start, for specs that end the app before it would have been kept.
import type { Page } from '@playwright/test';

/** Makes the window keep what it keeps when it loses the focus, and waits until all of it is stored. */
export async function keepState(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { postMessage } = MessagePort.prototype;
    const stored: Promise<void>[] = [];
    const answerTo = (port: MessagePort, id: number): Promise<void> =>
      new Promise((resolve) => {
        port.addEventListener('message', function hear({ data }: MessageEvent) {
          const answers = (data.t === 'batch' ? data.messages : [data]) as { t: string; id: number }[];
          if (!answers.some((answer) => answer.t !== 'event' && answer.id === id)) return;
          port.removeEventListener('message', hear);
          resolve();
        });
      });
    MessagePort.prototype.postMessage = function (this: MessagePort, ...args: unknown[]) {
      const { op, id } = (args[0] ?? {}) as { op?: string; id?: number };
      if (op === 'state.put') stored.push(answerTo(this, id!));
      return postMessage.apply(this, args as [unknown]);
    };
    window.dispatchEvent(new Event('blur'));
    // Messages that this causes are sent within the task.
    await new Promise((resolve) => setTimeout(resolve));
    MessagePort.prototype.postMessage = postMessage;
    await Promise.all(stored);
  });
}

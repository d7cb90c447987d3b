// For specs that look at work in progress: holds back a request until it is released.
import type { Page } from '@playwright/test';

declare global {
  interface Window {
    letGo(): void;
  }
}

/** Holds back what the window asks with `op`. Call what is answered to let it go, and what comes later pass. */
export async function holdBack(page: Page, op: string): Promise<() => Promise<void>> {
  await page.evaluate((heldOp) => {
    const { postMessage } = MessagePort.prototype;
    const held: (() => void)[] = [];
    MessagePort.prototype.postMessage = function (
      this: MessagePort,
      message: { op?: string } | null,
      options?: StructuredSerializeOptions,
    ) {
      const send = (): void => postMessage.call(this, message, options);
      if (message?.op === heldOp) held.push(send);
      else send();
    } as MessagePort['postMessage'];
    window.letGo = () => {
      MessagePort.prototype.postMessage = postMessage;
      for (const send of held) send();
    };
  }, op);
  return () => page.evaluate(() => window.letGo());
}

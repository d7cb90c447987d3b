// Holds back a request until it is released, for specs that look at work in progress.
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

declare global {
  interface Window {
    letGo(): void;
    heldBack(): number;
  }
}

/**
 * Holds back what the window asks with `op`, or with `credit` that it has taken in what was streamed to it. Call what is answered to let it go, and what comes later pass. What is stopped meanwhile reaches the
 * engine as a request and, right behind it, its end: work in slices is stopped after its first ones, however fast the machine is.
 */
export async function holdBack(page: Page, op: string): Promise<() => Promise<void>> {
  await page.evaluate((heldOp) => {
    const { postMessage } = MessagePort.prototype;
    const held: (() => void)[] = [];
    MessagePort.prototype.postMessage = function (
      this: MessagePort,
      message: { t?: string; op?: string } | null,
      options?: StructuredSerializeOptions,
    ) {
      const send = (): void => postMessage.call(this, message, options);
      const isEnd = message?.t === 'cancel' || message?.op === 'call.stop';
      if ((message?.op ?? message?.t) === heldOp || (isEnd && heldOp !== 'credit' && held.length > 0)) held.push(send);
      else send();
    } as MessagePort['postMessage'];
    window.heldBack = () => held.length;
    window.letGo = () => {
      MessagePort.prototype.postMessage = postMessage;
      for (const send of held) send();
    };
  }, op);
  return () => page.evaluate(() => window.letGo());
}

/** Waits until there is something to let go. */
export const untilHeldBack = async (page: Page): Promise<void> =>
  expect.poll(() => page.evaluate(() => window.heldBack())).toBeGreaterThan(0);

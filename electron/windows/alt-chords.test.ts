import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import type { Input, WebContents } from 'electron';
import { keepFocusOnAltChords } from './alt-chords.ts';

const F24 = { type: 'keyUp', keyCode: 'F24' };
const next = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** What is sent to the page when this comes from the keyboard. */
async function sentAfter(input: Partial<Input>, isDestroyed = false): Promise<unknown[]> {
  const sent: unknown[] = [];
  const contents = Object.assign(new EventEmitter(), {
    isDestroyed: () => isDestroyed,
    sendInputEvent: (event: unknown) => sent.push(event),
  });
  keepFocusOnAltChords(contents as unknown as WebContents);
  contents.emit('before-input-event', {}, { type: 'keyDown', alt: true, ...input });
  expect(sent).toEqual([]);
  await next();
  return sent;
}

test.skipIf(process.platform === 'darwin')('another key follows a shortcut with Alt, and nothing else', async () => {
  expect(await sentAfter({ key: 'ArrowLeft' })).toEqual([F24]);
  expect(await sentAfter({ key: 'Alt' })).toEqual([]);
  expect(await sentAfter({ key: 'ArrowLeft', alt: false })).toEqual([]);
  expect(await sentAfter({ key: 'ArrowLeft', type: 'keyUp' })).toEqual([]);
  expect(await sentAfter({ key: 'ArrowLeft' }, true)).toEqual([]);
});

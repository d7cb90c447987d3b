import { expect, test } from 'vitest';
import { AltKey } from './use-menu-bar.ts';

const NONE = { repeat: false, ctrlKey: false, shiftKey: false, metaKey: false };

/** Whether the menu bar gets the focus: `+` presses a key, `-` releases it, `!` is the pointer. */
function goesToBar(...events: readonly string[]): boolean {
  const alt = new AltKey();
  return events.map((event) => {
    const key = event.slice(1);
    if (event === '!') alt.interrupt();
    else if (event.startsWith('+')) alt.down({ ...NONE, key });
    return event.startsWith('-') && alt.up({ key });
  }).includes(true); // prettier-ignore
}

test('Alt alone goes to the menu bar, however long it is held', () => {
  expect(goesToBar('+Alt', '-Alt')).toBe(true);
  const alt = new AltKey();
  expect(alt.down({ ...NONE, key: 'Alt' })).toBe(true);
  for (let count = 0; count < 3; count++) expect(alt.down({ ...NONE, key: 'Alt', repeat: true })).toBe(true);
  expect(alt.up({ key: 'Alt' })).toBe(true);
});

test('Alt as part of something else does not', () => {
  expect(goesToBar('+Alt', '+ArrowLeft', '-ArrowLeft', '-Alt')).toBe(false);
  expect(goesToBar('+Alt', '+ArrowLeft', '-Alt', '-ArrowLeft')).toBe(false);
  expect(goesToBar('+Alt', '!', '-Alt')).toBe(false);
  expect(goesToBar('-Alt')).toBe(false);
  expect(goesToBar('+AltGraph', '-AltGraph')).toBe(false);
  const alt = new AltKey();
  expect(alt.down({ ...NONE, key: 'Alt', ctrlKey: true })).toBe(false);
  expect(alt.up({ key: 'Alt' })).toBe(false);
});

test('a key that repeats after Alt was part of something else does not make it Alt alone again', () => {
  const alt = new AltKey();
  alt.down({ ...NONE, key: 'Alt' });
  alt.down({ ...NONE, key: 'ArrowLeft' });
  alt.down({ ...NONE, key: 'Alt', repeat: true });
  expect(alt.up({ key: 'Alt' })).toBe(false);
});

import { expect, it } from 'vitest';
import { Letters } from './letters.ts';
import type { Letter } from './letters.ts';

function setUp() {
  const sent: Letter[] = [];
  const dropped: string[] = [];
  const letters = new Letters(
    (letter) => sent.push(letter),
    (channel) => dropped.push(channel),
  );
  return { letters, sent, dropped, values: () => sent.splice(0).map(({ value }) => value) };
}

it('what a page has dealt with is not sent again; everything else is, in order and made anew', async () => {
  const { letters, sent, values } = setUp();
  let made = 0;
  const first = letters.tell('file', () => `first ${++made}`);
  const second = letters.tell('file', () => `second ${++made}`);
  const third = letters.tell('menu', () => `third ${++made}`);
  const [, { id }] = sent as [Letter, Letter];
  expect(values()).toEqual(['first 1', 'second 2', 'third 3']);
  letters.done(id, 'kept');
  expect(await second).toEqual({ reply: 'kept' });
  letters.sendAgain();
  expect(sent.map((letter) => letter.id)).toEqual([1, 3]);
  expect(values()).toEqual(['first 4', 'third 5']);
  for (const each of [1, 3, 3, 99]) letters.done(each); // twice, and one that never was
  expect(await Promise.all([first, third])).toEqual([{ reply: undefined }, { reply: undefined }]);
  letters.sendAgain();
  expect(values()).toEqual([]);
});

it('a later state takes the place of an earlier one about the same', async () => {
  const { letters, sent } = setUp();
  const former = letters.tell('run', () => 1, 'run');
  void letters.tell('run', () => 2, 'run');
  void letters.tell('touched', () => 'a', 'a');
  void letters.tell('touched', () => 'b', 'b');
  void letters.tell('menu', () => 'x');
  void letters.tell('menu', () => 'x');
  expect(await former).not.toBeNull();
  sent.length = 0;
  letters.sendAgain();
  expect(sent.map(({ value }) => value)).toEqual([2, 'a', 'b', 'x', 'x']);
});

it('what nobody will deal with any more is told, before and after the window has gone', async () => {
  const { letters, sent, dropped } = setUp();
  const open = [letters.tell('file', () => 1), letters.tell('menu', () => 2)];
  letters.done(2);
  letters.end();
  expect(await Promise.all(open)).toEqual([null, { reply: undefined }]);
  sent.length = 0;
  expect(await letters.tell('source', () => 3)).toBeNull();
  letters.sendAgain();
  expect(sent).toEqual([]);
  expect(dropped).toEqual(['file', 'source']);
});

import { expect, it } from 'vitest';
import { Outbox } from './outbox.ts';
import type { OutboxMessage } from './outbox.ts';

function setUp() {
  const sent: OutboxMessage[] = [];
  const dropped: string[] = [];
  const outbox = new Outbox(
    (message) => sent.push(message),
    (channel) => dropped.push(channel),
  );
  return { outbox, sent, dropped, values: () => sent.splice(0).map(({ value }) => value) };
}

it('what a page has dealt with is not sent again; everything else is, in order and made anew', async () => {
  const { outbox, sent, values } = setUp();
  let made = 0;
  const first = outbox.tell('file', () => `first ${++made}`);
  const second = outbox.tell('file', () => `second ${++made}`);
  const third = outbox.tell('menu', () => `third ${++made}`);
  const [, { id }] = sent as [OutboxMessage, OutboxMessage];
  expect(values()).toEqual(['first 1', 'second 2', 'third 3']);
  outbox.done(id, 'kept');
  expect(await second).toEqual({ reply: 'kept' });
  outbox.sendAgain();
  expect(sent.map((message) => message.id)).toEqual([1, 3]);
  expect(values()).toEqual(['first 4', 'third 5']);
  for (const each of [1, 3, 3, 99]) outbox.done(each); // twice, and one that never was
  expect(await Promise.all([first, third])).toEqual([{ reply: undefined }, { reply: undefined }]);
  outbox.sendAgain();
  expect(values()).toEqual([]);
});

it('a later state takes the place of an earlier one about the same', async () => {
  const { outbox, sent } = setUp();
  const former = outbox.tell('run', () => 1, 'run');
  void outbox.tell('run', () => 2, 'run');
  void outbox.tell('touched', () => 'a', 'a');
  void outbox.tell('touched', () => 'b', 'b');
  void outbox.tell('menu', () => 'x');
  void outbox.tell('menu', () => 'x');
  expect(await former).not.toBeNull();
  sent.length = 0;
  outbox.sendAgain();
  expect(sent.map(({ value }) => value)).toEqual([2, 'a', 'b', 'x', 'x']);
});

it('what nobody will deal with any more is told, before and after the window has gone', async () => {
  const { outbox, sent, dropped } = setUp();
  const open = [outbox.tell('file', () => 1), outbox.tell('menu', () => 2)];
  outbox.done(2);
  outbox.end();
  expect(await Promise.all(open)).toEqual([null, { reply: undefined }]);
  sent.length = 0;
  expect(await outbox.tell('source', () => 3)).toBeNull();
  outbox.sendAgain();
  expect(sent).toEqual([]);
  expect(dropped).toEqual(['file', 'source']);
});

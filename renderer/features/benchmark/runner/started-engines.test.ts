// Fake engines: started once, restarted when they died, and not forever.
import { expect, test } from 'vitest';
import { AppError } from '#shared/protocol/errors.ts';
import { RunControl } from './target.ts';
import { StartedEngines } from './started-engines.ts';
import type { EnginePort } from './started-engines.ts';

function made() {
  const ports: { isGone: boolean; silence: string | null }[] = [];
  const notes: string[] = [];
  const open = async (engine: string): Promise<EnginePort> => {
    if (engine === 'sqlite3') throw new AppError({ code: 'unavailable', message: 'It is not here.' });
    const port = {
      engine,
      isGone: false,
      silence: null,
      client: { call: async () => ({ engine }) },
      takeBusyMs: () => 0,
    };
    ports.push(port);
    return port as unknown as EnginePort;
  };
  return { engines: new StartedEngines(new RunControl(), (what) => notes.push(what), open), ports, notes };
}

test('an engine starts once, and says once what it is', async () => {
  const { engines, ports } = made();
  const [first, second] = [await engines.start('memory'), await engines.start('memory')];
  expect(first).toBe(second);
  expect([ports.length, engines.facts.length]).toEqual([1, 1]);
});

test('one that died is started anew three times, which is noted, and then left alone', async () => {
  const { engines, ports, notes } = made();
  for (let death = 1; death <= 4; death++) {
    expect(await engines.start('memory')).toHaveProperty('port');
    ports.at(-1)!.isGone = true;
  }
  expect(notes).toEqual(Array.from({ length: 3 }, () => 'Sidelite, memory crashed and was restarted.'));
  expect(await engines.start('memory')).toMatchObject({
    failure: { status: 'failed', why: expect.stringContaining('4 times') },
  });
  expect([ports.length, engines.facts.length]).toEqual([4, 1]);
});

test('one that does not answer is started anew; one that never starts is left alone, and its cells say why', async () => {
  const { engines, ports, notes } = made();
  await engines.start('memory');
  Object.assign(ports[0]!, { isGone: true, silence: 'It did not answer.' });
  expect(await engines.start('memory')).toHaveProperty('port');
  expect(notes).toEqual(['Sidelite, memory did not respond and was restarted.']);
  const silent = new StartedEngines(
    new RunControl(),
    () => undefined,
    async (engine) => {
      const call = async (): Promise<never> => {
        throw new AppError({ code: 'disconnected', message: 'Gone.' });
      };
      return { engine, isGone: true, silence: 'It did not answer.', client: { call }, takeBusyMs: () => 0 };
    },
  );
  const failure = { status: 'failed', why: 'It did not answer.' };
  expect([await silent.start('memory'), await silent.start('memory')]).toEqual([{ failure }, { failure }]);
});

test('one that is not there is asked once, and its cells say why', async () => {
  const { engines } = made();
  const expected = { failure: { status: 'skipped', why: 'It is not here.', engineIsMissing: true } };
  expect([await engines.start('sqlite3'), await engines.start('sqlite3')]).toEqual([expected, expected]);
});

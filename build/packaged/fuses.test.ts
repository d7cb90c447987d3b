import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readFuses, wrongFuses } from './fuses.ts';

const work = mkdtempSync(join(tmpdir(), 'sidelite-fuses-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));

const wire = (states: string, version = 1): string =>
  `code…dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX${String.fromCharCode(version, states.length)}${states}more code`;

function program(content: string): string {
  const path = join(work, 'program');
  writeFileSync(path, content);
  return path;
}

it('what every processor of a binary is set to', () => {
  expect(readFuses(Buffer.from(wire('01r\u0090') + wire('1'), 'latin1'))).toEqual([
    ['off', 'on', 'removed', 'inherited'],
    ['on'],
  ]);
  expect(readFuses(Buffer.from('no fuses'))).toEqual([]);
  expect(() => readFuses(Buffer.from(wire('1', 2)))).toThrow('version 2');
});

it('each fuse that is not as it should be is named; those an older binary lacks are not missed', () => {
  expect(wrongFuses(program(wire('0000110')))).toEqual([]);
  expect(wrongFuses(program(wire('000011001')))).toEqual([]);
  expect(wrongFuses(program(wire('000011001') + wire('1000110')))).toEqual(['RunAsNode is on instead of off']);
  expect(wrongFuses(program(wire('000001010')))).toEqual([
    'EnableEmbeddedAsarIntegrityValidation is off instead of on',
    'GrantFileProtocolExtraPrivileges is on instead of off',
    'WasmTrapHandlers is off instead of on',
  ]);
  expect(wrongFuses(program('nothing'))).toEqual([expect.stringContaining('has no fuses')]);
});

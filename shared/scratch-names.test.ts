import { expect, it } from 'vitest';
import { isAbandoned, scratchPrefix } from './scratch-names.ts';
import type { ScratchOwners } from './scratch-names.ts';

/** Processes by their numbers, each with its state and when it began; without these the system does not say so. */
function system(
  processes: Readonly<Record<number, readonly [state: string, began: string] | null>>,
  namespace = '4026531836',
): ScratchOwners {
  const stat = (pid: number): string | null => {
    const process = processes[pid];
    return process ? `${pid} (a) b (c)) ${process[0]} ${'0 '.repeat(18)}${process[1]} 0` : null;
  };
  return { pid: 7, namespace, exists: (pid) => pid in processes, stat };
}

it('a folder belongs to the process that made it, as long as that runs', () => {
  const now = system({ 7: ['S', '100'] });
  const name = `${scratchPrefix(now)}aB3xYz`;
  expect(name).toBe('sidelite-scratch-4026531836-7-100-aB3xYz');
  expect(isAbandoned(name, now)).toBe(false);
  expect(isAbandoned(name, system({}))).toBe(true);
});

it('a later process with its number does not own it, nor does one that was killed and not waited for', () => {
  const name = 'sidelite-scratch-4026531836-7-100-aB3xYz';
  expect(isAbandoned(name, system({ 7: ['S', '200'] }))).toBe(true);
  expect(isAbandoned(name, system({ 7: ['Z', '100'] }))).toBe(true);
});

it('where the system does not say when a process began, one with its number may be the owner', () => {
  const now = system({ 7: null }, '');
  const name = `${scratchPrefix(now)}aB3xYz`;
  expect(name).toBe('sidelite-scratch--7--aB3xYz');
  expect(isAbandoned(name, now)).toBe(false);
  expect(isAbandoned(name, system({ 8: null }, ''))).toBe(true);
});

it('folders of other containers and of others are never taken', () => {
  for (const name of [
    'sidelite-scratch-4026532000-7-100-aB3xYz',
    'sidelite-scratch-aB3xYz',
    'sidelite-spool-aB3xYz',
    'sidelite-scratch-4026531836-7-100-',
    '../sidelite-scratch-4026531836-7-100-aB3xYz',
  ])
    expect(isAbandoned(name, system({}))).toBe(false);
});

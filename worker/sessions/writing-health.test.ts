import { expect, it } from 'vitest';
import { AppError } from '#shared/protocol/errors.ts';
import { WritingHealth } from './writing-health.ts';

const failure = (code: 'full' | 'corrupt' | 'constraint', extended = 0): AppError =>
  new AppError({ code, message: 'x', sqlite: { result: extended & 255, extended, offset: -1 } });

it('a full disk is tried again; the next write that works ends it', () => {
  const health = new WritingHealth();
  expect(health.note(failure('full'))).toBe(true);
  expect(health.why).toContain('full');
  expect(health.refusal()).toBeNull();
  expect(health.note(undefined)).toBe(true);
  expect(health.why).toBeNull();
});

it('a damaged file is no longer written', () => {
  const health = new WritingHealth();
  health.note(failure('corrupt', 11));
  health.note(undefined);
  expect(health.refusal()).toMatchObject({ code: 'corrupt' });
});

it('a broken constraint or a damaged full-text index is no reason', () => {
  const health = new WritingHealth();
  expect([health.note(failure('constraint', 2067)), health.note(failure('corrupt', 267))]).toEqual([false, false]);
});

it('memory that ran out is not told as a full disk, and ends with the next write that works', () => {
  const health = new WritingHealth();
  expect(health.note(failure('full', 7))).toBe(true);
  expect(health.why).toContain('2 GiB of memory');
  expect(health.refusal()).toBeNull();
  expect(health.note(undefined)).toBe(true);
});

// Anything that can be thrown becomes an error that can be shown and sent.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seedCount } from '../seed-count.test-suite.ts';
import { AppError, inParts, toAppError, toErrorData, whatHappened } from './errors.ts';

const SENTENCE = /^\p{Lu}[^]*[.!?]$/u;

describe('toAppError', () => {
  it('keeps an AppError as it is', () => {
    const error = new AppError({ code: 'conflict', message: 'The row was changed.', detail: { row: 1 } });
    expect(toAppError(error)).toBe(error);
  });

  it.each([
    ['an Error', new TypeError('x is not a function')],
    ['a text', 'ended'],
    ['nothing', undefined],
    ['null', null],
    ['an object without a prototype', Object.create(null)],
    ['an object that looks like an AppError', { code: 'stopped', message: 'Stopped.' }],
    ['a DOMException', new DOMException('The operation was aborted.', 'AbortError')],
    ['a symbol', Symbol('x')],
  ])('makes %s one that is internal, with a whole sentence', (_, thrown: unknown) => {
    const error = toAppError(thrown);
    expect(error).toBeInstanceOf(AppError);
    expect(error.code).toBe('internal');
    expect(error.message).toMatch(SENTENCE);
  });

  it('knows a refusal of the file system', () => {
    const refusal = Object.assign(new Error('EACCES: permission denied'), { syscall: 'open', errno: -13 });
    expect(toAppError(refusal)).toMatchObject({ code: 'io', message: expect.stringContaining('EACCES') });
  });

  it('never fails itself, and what it answers crosses a port', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withSparseArray: true, withTypedArray: true }), (thrown) => {
        const data = toErrorData(toAppError(thrown));
        expect(structuredClone(data)).toEqual(data);
        expect(toAppError(new AppError(data))).toMatchObject(data);
      }),
      { seed: 12, numRuns: seedCount(100) },
    );
  });
});

describe('a message in two parts', () => {
  it('is whole for whoever shows it, and known without its end', () => {
    const error = new AppError({ code: 'constraint', ...inParts('“name” cannot be NULL.', 'Nothing was changed.') });
    expect(error.message).toBe('“name” cannot be NULL. Nothing was changed.');
    expect(whatHappened(error)).toBe('“name” cannot be NULL.');
    expect(whatHappened(new AppError(structuredClone(toErrorData(error))))).toBe('“name” cannot be NULL.');
  });

  it('is taken as it is where it has only one', () => {
    expect(whatHappened(new AppError({ code: 'stopped', message: 'Stopped.' }))).toBe('Stopped.');
  });
});

// The error that a call of an engine throws.
import { expect } from 'vitest';
import { AppError } from '#shared/protocol/errors.ts';

export function thrownBy(body: () => unknown): AppError {
  try {
    body();
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    return error as AppError;
  }
  throw new Error('It did not fail.');
}

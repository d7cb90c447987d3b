import { expect, it } from 'vitest';
import { sentenceCase } from './format.ts';

it('makes the title of a command a label, and leaves names and keywords alone', () => {
  expect(sentenceCase('Copy with Headers')).toBe('Copy with headers');
  expect(sentenceCase('Duplicate Rows or Fill Down')).toBe('Duplicate rows or fill down');
  expect(sentenceCase('Go to Row…')).toBe('Go to row…');
  expect(sentenceCase('Set to NULL')).toBe('Set to NULL');
  expect(sentenceCase('Export as SQLite File…')).toBe('Export as SQLite file…');
});

import { expect, it } from 'vitest';
import { readableColumns } from './readable-columns.ts';

const REFERENCE = { table: 't', columns: [] };
const column = (name: string, declaredType: string, isKey = false) => ({
  name,
  declaredType,
  references: isKey ? REFERENCE : null,
});
const chosen = (columns: readonly ReturnType<typeof column>[], left: readonly string[] = ['id']): readonly string[] =>
  readableColumns(columns, left).map(({ name }) => name);

it('prefers texts with telling names, in the order of the table', () => {
  const columns = [
    column('id', 'INTEGER'),
    column('LastName', 'NVARCHAR(20)'),
    column('notes', 'TEXT'),
    column('email', 'TEXT'),
    column('company_name', 'TEXT', true),
  ];
  expect(chosen(columns)).toEqual(['LastName', 'email']);
  expect(chosen(columns, ['ID', 'lastname', 'EMAIL'])).toEqual(['notes']);
});

it('does not take a postal code for a name', () => {
  const columns = ['FirstName', 'LastName', 'PostalCode', 'zip_code', 'Email'].map((name) => column(name, 'TEXT'));
  expect(chosen(columns)).toEqual(['FirstName', 'LastName', 'Email']);
  expect(chosen([column('code', 'TEXT'), column('post_code', 'TEXT')])).toEqual(['code']);
});

it('takes at most three, and what there is if there is no text', () => {
  expect(chosen(['a', 'b', 'c', 'd'].map((name) => column(name, 'TEXT')))).toEqual(['a', 'b', 'c']);
  expect(chosen([column('id', 'INTEGER'), column('price', 'REAL'), column('picture', 'BLOB')])).toEqual(['price']);
  expect(chosen([column('id', 'INTEGER')])).toEqual([]);
});

// The definition of an object, as the schema stores it, in a script.
import { endsInComment } from './expressions.ts';

/** Appends the semicolon so that a comment at the end does not hide it. */
export const asStatement = (sql: string): string => `${sql}${endsInComment(sql) ? '\n' : ''};`;

// Lint rules of our own: components decide by codes, never by the words of one another's messages, comments make sense alone, and SQL
// reads SQLite's own tables, never those of a file that have their names.
import { checkedErrors } from './checked-errors.ts';
import type { Rule } from './oxlint.ts';
import { tableFunctions } from './table-functions.ts';
import { textDecisions } from './text-decisions.ts';
import { wholeComments } from './whole-comments.ts';

const rules: Readonly<Record<string, Rule>> = {
  'checked-errors': checkedErrors,
  'table-functions': tableFunctions,
  'text-decisions': textDecisions,
  'whole-comments': wholeComments,
};

export default { meta: { name: 'sidelite' }, rules };

// Lint rules of our own: components decide by codes, never by the words of one another's messages, and comments make sense alone.
import { checkedErrors } from './checked-errors.ts';
import type { Rule } from './oxlint.ts';
import { textDecisions } from './text-decisions.ts';
import { wholeComments } from './whole-comments.ts';

const rules: Readonly<Record<string, Rule>> = {
  'checked-errors': checkedErrors,
  'text-decisions': textDecisions,
  'whole-comments': wholeComments,
};

export default { meta: { name: 'sidelite' }, rules };

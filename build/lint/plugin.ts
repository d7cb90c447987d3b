// Lint rules of our own: components decide by codes, never by the words of one another's messages.
import { checkedErrors } from './checked-errors.ts';
import type { Rule } from './oxlint.ts';
import { textDecisions } from './text-decisions.ts';

const rules: Readonly<Record<string, Rule>> = { 'checked-errors': checkedErrors, 'text-decisions': textDecisions };

export default { meta: { name: 'sidelite' }, rules };

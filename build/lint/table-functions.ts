// Refuses SQL that reads one of SQLite's table-valued functions without its schema: a table or view of a hostile database that has
// the same name would be read instead. Nothing that a file holds is in `temp`.
import type { Rule, Visited } from './oxlint.ts';

/** Eponymous virtual tables (sqlite.org/vtab.html#epovtab), where a table is read or arguments begin. */
const UNQUALIFIED =
  /(?:\bfrom|\bjoin|,)\s+(pragma_\w+|json_each|json_tree|dbstat)\b|^(pragma_\w+|json_each|json_tree)\(/i;

export const tableFunctions: Rule = {
  create: (context) => {
    const check = (node: Visited<'Literal'> | Visited<'TemplateElement'>, text: string): void => {
      const [, read, called] = UNQUALIFIED.exec(text) ?? [];
      const name = read ?? called;
      if (name !== undefined)
        context.report({
          node,
          message: `A database may have a table named “${name}”, which SQLite would read instead: write “temp.${name}”.`,
        });
    };
    return {
      Literal: (node) => {
        if (typeof node.value === 'string') check(node, node.value);
      },
      TemplateElement: (node) => check(node, node.value.raw),
    };
  },
};

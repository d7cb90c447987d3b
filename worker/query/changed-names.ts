// Names that the statements of a text create, drop, or change: what SQLite says about them is known only after those statements have run.
import { foldName } from '#shared/ddl/names.ts';
import { SqlScanner, Token } from '#shared/sql-scanner.ts';

export class ChangedNames {
  /** Objects of the statements, named before the definition. */
  readonly #objects = new Set<string>();
  /** Every name in them. */
  readonly #names = new Set<string>();

  /** @param sql one CREATE, DROP, or ALTER */
  note(sql: string): void {
    let isDefinition = false;
    for (const { name, isWord } of namesAndSigns(sql)) {
      isDefinition ||= name === '(' || (isWord && (name === 'as' || name === 'begin'));
      this.#names.add(name);
      if (!isDefinition && !GRAMMAR.has(name)) this.#objects.add(name);
    }
  }

  /** Whether an error in `sql` may be gone after the statements have run. @param about the name in the error */
  mayExplain(sql: string, about: string | null): boolean {
    if (this.#objects.size === 0) return false;
    const name = about === null ? null : foldName(about);
    if (name !== null && (this.#names.has(name) || this.#isShadow(name))) return true;
    return namesAndSigns(sql).some((each) => this.#objects.has(each.name));
  }

  /** A virtual table comes with tables whose names begin with its own. */
  #isShadow(name: string): boolean {
    return [...this.#objects].some((object) => name.startsWith(`${object}_`));
  }
}

/** Words before a definition that name nothing. */
const GRAMMAR = new Set(
  (
    'create drop alter temp temporary unique virtual table index view trigger if not exists on using before after instead of ' +
    'insert update delete add column rename to set default for each row when main'
  ).split(' '),
);

interface NameOrSign {
  /** Folded. */
  readonly name: string;
  readonly isWord: boolean;
}

function namesAndSigns(sql: string): readonly NameOrSign[] {
  const found: NameOrSign[] = [];
  const scanner = new SqlScanner(sql);
  while (scanner.next() !== Token.end) {
    const isWord = scanner.kind === Token.word;
    if (isWord || scanner.kind === Token.quoted) found.push({ name: foldName(scanner.name), isWord });
    else if (scanner.text === '(') found.push({ name: '(', isWord: false });
  }
  return found;
}

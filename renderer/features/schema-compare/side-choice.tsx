// Chooses one side of a comparison: a database of the library, a file in place, or a file that is only read.
import type { ReactNode } from 'react';
import { visibleName } from '#shared/visible-text.ts';
import { useStore } from '../../state/store.ts';
import { Select } from '../../ui/select.tsx';
import { NO_SIDE, type ComparedSide } from '../../workbench/tabs/schema-compare.ts';
import type { SchemaCompareSession, SideName } from './schema-compare-session.ts';

interface SideChoiceProps {
  readonly session: SchemaCompareSession;
  readonly name: SideName;
  readonly label: string;
  readonly side: ComparedSide;
}

const CHOOSE_FILE = 'choose-file';
const CHOSEN_FILE = 'chosen-file';
const CHOSEN_VERSION = 'chosen-version';
const NOTHING = '';

export function SideChoice({ session, name, label, side }: SideChoiceProps): ReactNode {
  const databases = useDatabaseNames();
  const isListed = databases.some(([id]) => id === side.database);
  const value = side.file ? CHOSEN_FILE : side.before ? CHOSEN_VERSION : isListed ? side.database! : NOTHING;
  const sideName = useSideName(side);
  const choose = (choice: string): void => {
    if (choice === CHOOSE_FILE) void session.chooseFile(name);
    else if (choice !== CHOSEN_FILE && choice !== CHOSEN_VERSION)
      session.choose(name, choice === NOTHING ? NO_SIDE : { ...NO_SIDE, database: choice });
  };
  return (
    <label className="row-inline note gap-6 schema-diff-side">
      <span aria-hidden>{label}</span>
      <Select
        label={label}
        value={value}
        options={[
          [NOTHING, 'Choose…'],
          ...databases,
          ...(side.file ? [[CHOSEN_FILE, visibleName(side.file.fileName)] as const] : []),
          ...(side.before ? [[CHOSEN_VERSION, sideName] as const] : []),
          [CHOOSE_FILE, 'SQL or SQLite file…'],
        ]}
        onChoose={choose}
      />
    </label>
  );
}

/** Everything in the library, and other open databases. */
function useDatabaseNames(): readonly (readonly [string, string])[] {
  const entries = useStore((state) => state.entries);
  const open = useStore((state) => state.openDatabases);
  const names = new Map((entries ?? []).map(({ id, name }) => [id, visibleName(name)]));
  for (const { entry } of Object.values(open)) names.set(entry.id, visibleName(entry.name));
  return [...names].sort(([, one], [, other]) => one.localeCompare(other, 'en'));
}

export function useSideName({ database, file, before }: ComparedSide): string {
  const entries = useStore((state) => state.entries);
  const open = useStore((state) => state.openDatabases);
  if (file) return file.fileName;
  if (database === null) return '';
  const name = open[database]?.entry.name ?? entries?.find(({ id }) => id === database)?.name ?? 'database';
  return before ? `${name}, before “${before.title}”` : name;
}

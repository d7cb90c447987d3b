// Indexes and triggers of a table or view, each opened in its own design.
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { sameName } from '#shared/ddl/names.ts';
import type { DatabaseId, SchemaObject } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import { useColumns, useSchema } from '../../state/schema.ts';
import { openObjectDesign } from '../../workbench/tabs/design.ts';
import { openNewIndex, openNewTrigger } from '../../workbench/objects/new-objects.ts';
import { Button } from '../../ui/button.tsx';
import type { DesignSession } from './design-session.ts';

type OwnKind = 'index' | 'trigger';

interface OwnObjectsProps {
  readonly session: DesignSession;
  readonly database: DatabaseId;
  readonly kinds: readonly OwnKind[];
}

const TITLES: Readonly<Record<OwnKind, string>> = { index: 'Indexes', trigger: 'Triggers' };

/** Lists what exists in the database; a new table has none. */
export function OwnObjects({ session, database, kinds }: OwnObjectsProps): ReactNode {
  const schema = useSchema(database);
  const columns = useColumns(database);
  const owner = schema?.objects.find(({ kind, name }) => kind === session.object && name === session.name);
  if (!schema || !owner) return null;
  const add = (kind: OwnKind): void => {
    if (kind === 'trigger') return openNewTrigger(database, owner);
    const own = columns?.find(({ table }) => table === owner.name)?.columns ?? [];
    openNewIndex(database, owner.name, own.slice(0, 1));
  };
  return kinds.map((kind) => (
    <section key={kind} className="design-group" aria-label={TITLES[kind]}>
      <div className="design-head">
        <h2>{TITLES[kind]}</h2>
        <Button size="small" onClick={() => add(kind)}>
          <Plus size={14} aria-hidden /> Add {kind}…
        </Button>
      </div>
      <ul className="design-own">
        {schema.objects
          .filter((object) => object.kind === kind && sameName(object.tableName, owner.name) && object.sql !== null)
          .map((object) => (
            <OwnObject key={object.name} database={database} object={object} />
          ))}
      </ul>
    </section>
  ));
}

function OwnObject({ database, object }: { readonly database: DatabaseId; readonly object: SchemaObject }): ReactNode {
  return (
    <li>
      <button
        type="button"
        className="link-button"
        title={object.sql ?? undefined}
        onClick={() => openObjectDesign(database, object)}
      >
        {visibleName(object.name)}
      </button>
    </li>
  );
}

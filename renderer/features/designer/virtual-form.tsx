// The form of a virtual table, as its module determines.
import type { ReactNode } from 'react';
import { renameVirtual } from '#shared/ddl/edit-virtual.ts';
import { fullTextOf } from '#shared/ddl/full-text.ts';
import type { VirtualTableModel } from '#shared/ddl/object-models.ts';
import { rtreeOf } from '#shared/ddl/rtree.ts';
import type { DatabaseId } from '#shared/protocol/index.ts';
import type { DesignSession } from './design-session.ts';
import { NameField } from './fields.tsx';
import { FullTextForm } from './full-text-form.tsx';
import { RTreeForm } from './rtree-form.tsx';

interface VirtualFormProps {
  readonly session: DesignSession;
  readonly database: DatabaseId;
  readonly model: VirtualTableModel;
}

export function VirtualForm({ session, database, model }: VirtualFormProps): ReactNode {
  const fullText = fullTextOf(model);
  const rtree = rtreeOf(model);
  return (
    <>
      <section className="design-group" aria-label="Table">
        <NameField
          what="table"
          name={model.name.name}
          onRename={(name) => session.change(renameVirtual(model, name), session.identity)}
        />
      </section>
      {fullText && <FullTextForm session={session} database={database} model={fullText} />}
      {rtree && <RTreeForm session={session} model={rtree} />}
    </>
  );
}

// Shared parts of the forms for the constraints of a table.
import { Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { dropConstraint, type ConstraintPosition } from '#shared/ddl/edit-table.ts';
import type { ColumnConstraint, TableModel } from '#shared/ddl/table-model.ts';
import type { DatabaseId } from '#shared/protocol/index.ts';
import { IconButton } from '../../ui/button.tsx';
import type { DesignSession } from './design-session.ts';
import { REMOVES } from './use-item-list.ts';

export interface Placed<C extends ColumnConstraint> {
  readonly position: ConstraintPosition;
  readonly constraint: C;
}

export interface ItemProps<C extends ColumnConstraint> extends Placed<C> {
  readonly session: DesignSession;
  readonly database: DatabaseId;
  readonly model: TableModel;
  readonly names: readonly string[];
}

type RemoveProps = Pick<ItemProps<ColumnConstraint>, 'session' | 'model' | 'position'> & { readonly what: string };

export function Remove({ session, model, position, what }: RemoveProps): ReactNode {
  return (
    <IconButton
      {...REMOVES}
      label={`Remove the ${what}`}
      onClick={() => session.change(dropConstraint(model, position))}
    >
      <Trash2 size={15} />
    </IconButton>
  );
}

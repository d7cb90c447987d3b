// The form for whatever object a tab designs.
import type { ReactNode } from 'react';
import type { ObjectModel } from '#shared/ddl/parse-object.ts';
import type { DatabaseId } from '#shared/protocol/index.ts';
import type { DesignSession } from './design-session.ts';
import { IndexForm } from './index-form.tsx';
import { TableForm } from './table-form.tsx';
import { TriggerForm } from './trigger-form.tsx';
import { ViewForm } from './view-form.tsx';
import { VirtualForm } from './virtual-form.tsx';

interface ObjectFormProps {
  readonly session: DesignSession;
  readonly database: DatabaseId;
  readonly model: ObjectModel;
}

export function ObjectForm({ model, ...rest }: ObjectFormProps): ReactNode {
  switch (model.kind) {
    case 'table':
      return <TableForm {...rest} model={model} />;
    case 'index':
      return <IndexForm {...rest} model={model} />;
    case 'view':
      return <ViewForm {...rest} model={model} />;
    case 'trigger':
      return <TriggerForm {...rest} model={model} />;
    case 'virtual':
      return <VirtualForm {...rest} model={model} />;
  }
}

// The form of an R-Tree table: its dimensions, the type of its coordinates, and its additional columns.
import { Plus, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { renameArgument, setModule } from '#shared/ddl/edit-virtual.ts';
import {
  addAuxiliary,
  addDimension,
  columnsOfRTree,
  dropAuxiliary,
  dropDimension,
  MOST_DIMENSIONS,
  setAuxiliaryType,
} from '#shared/ddl/rtree.ts';
import type { RTreeColumn, RTreeModel } from '#shared/ddl/rtree.ts';
import { visibleName } from '#shared/visible-text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import type { DesignSession } from './design-session.ts';
import { Field, Line } from './fields.tsx';
import { freeName, spliced, takenProblem } from './lists.ts';
import { REMOVES, useItemList } from './use-item-list.ts';

interface RTreeFormProps {
  readonly session: DesignSession;
  readonly model: RTreeModel;
}

export function RTreeForm({ session, model }: RTreeFormProps): ReactNode {
  const { id } = model;
  const names = columnsOfRTree(model).map(({ name }) => name);
  const { identity } = session;
  const name = (column: RTreeColumn, label: string): ReactNode => (
    <Field
      label={label}
      value={column.name}
      problemOf={takenProblem(names, column.name)}
      onCommit={(to) => session.change(renameArgument(model.statement, column.index, to), identity)}
    />
  );
  return (
    <>
      <section className="design-group" aria-label="R-Tree">
        <Line label="Coordinates">
          <Select
            label="Coordinates"
            value={model.integers ? 'rtree_i32' : 'rtree'}
            options={KINDS}
            onChoose={(module) => session.change(setModule(model.statement, module), identity)}
          />
        </Line>
        {id && <Line label="Row id">{name(id, 'Name of the row id')}</Line>}
      </section>
      <Dimensions session={session} model={model} names={names} renderName={name} />
      <AuxiliaryColumns session={session} model={model} names={names} renderName={name} />
    </>
  );
}

const KINDS = [
  ['rtree', 'Floating-point numbers (32 bits)'],
  ['rtree_i32', 'Integers (32 bits)'],
] as const;

interface ColumnsProps extends RTreeFormProps {
  readonly names: readonly string[];
  readonly renderName: (column: RTreeColumn, label: string) => ReactNode;
}

function Dimensions({ session, model, names, renderName }: ColumnsProps): ReactNode {
  const { coordinates } = model;
  const { identity } = session;
  const dimensions = Array.from({ length: Math.ceil(coordinates.length / 2) }, (_, at) =>
    coordinates.slice(2 * at, 2 * at + 2),
  );
  const { keys, listProps, itemProps, addProps } = useItemList<HTMLElement>(
    dimensions.map((pair) => pair.map(({ index }) => model.statement.arguments[index]!.part.sql).join()),
  );
  const addOne = (): void => {
    const least = freeName(names, 'min_');
    const text = addDimension(model, least, freeName([...names, least], 'max_'));
    session.change(text, spliced(identity, 1 + coordinates.length, 0, null, null));
  };
  return (
    <section className="design-group" aria-labelledby="design-dimensions" {...listProps}>
      <div className="design-head">
        <h2 id="design-dimensions">Dimensions</h2>
        <Button
          size="small"
          why={dimensions.length < MOST_DIMENSIONS ? null : `An R-Tree has at most ${MOST_DIMENSIONS} dimensions.`}
          onClick={addOne}
          {...addProps}
        >
          <Plus size={14} aria-hidden /> Add dimension
        </Button>
      </div>
      {dimensions.map((pair, at) => (
        <div key={keys[at]} className="design-part" {...itemProps(at)}>
          {renderName(pair[0]!, `Smallest value of dimension ${at + 1}`)}
          {pair[1] && renderName(pair[1], `Greatest value of dimension ${at + 1}`)}
          <IconButton
            {...REMOVES}
            label={`Remove dimension ${at + 1}`}
            isOff={dimensions.length === 1}
            onClick={() => session.change(dropDimension(model, at), spliced(identity, 1 + 2 * at, pair.length))}
          >
            <Trash2 size={15} />
          </IconButton>
        </div>
      ))}
    </section>
  );
}

function AuxiliaryColumns({ session, model, names, renderName }: ColumnsProps): ReactNode {
  const { auxiliary, coordinates } = model;
  const { identity } = session;
  const { keys, listProps, itemProps, addProps } = useItemList<HTMLElement>(
    auxiliary.map(({ index }) => model.statement.arguments[index]!.part.sql),
  );
  return (
    <section className="design-group" aria-labelledby="design-auxiliary" {...listProps}>
      <div className="design-head">
        <h2 id="design-auxiliary">Auxiliary columns</h2>
        <Button
          size="small"
          onClick={() => session.change(addAuxiliary(model, freeName(names, 'column_')), [...identity, null])}
          {...addProps}
        >
          <Plus size={14} aria-hidden /> Add column
        </Button>
      </div>
      {auxiliary.map((column, at) => (
        <div key={keys[at]} className="design-part" {...itemProps(at)}>
          {renderName(column, `Name of column ${at + 1}`)}
          <Field
            label={`Type of ${visibleName(column.name)}`}
            value={column.type}
            placeholder="No type"
            onCommit={(type) => session.change(setAuxiliaryType(model, at, type), identity)}
          />
          <IconButton
            {...REMOVES}
            label={`Remove column ${at + 1}`}
            onClick={() => session.change(dropAuxiliary(model, at), spliced(identity, 1 + coordinates.length + at, 1))}
          >
            <Trash2 size={15} />
          </IconButton>
        </div>
      ))}
    </section>
  );
}

// What prevents a table from being STRICT: types that are not allowed, and one click that converts them.
import type { ReactNode } from 'react';
import { strictProblems, withStrictTypes } from '#shared/ddl/strict-types.ts';
import type { TableModel } from '#shared/ddl/table-model.ts';
import { visibleName } from '#shared/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { plural } from '../../ui/format.ts';
import type { DesignSession } from './design-session.ts';
import { STRICT_TAKES } from './unfinished.ts';

interface StrictNoteProps {
  readonly session: DesignSession;
  readonly model: TableModel;
  /** The button is gone afterward. */
  readonly onConverted: () => void;
}

export function StrictNote({ session, model, onConverted }: StrictNoteProps): ReactNode {
  const problems = strictProblems(model);
  return (
    <div role="status">
      {problems.length > 0 && (
        <div className="row warn-note gap-8 design-problem">
          <div className="design-problem-text">
            <p>{STRICT_TAKES}</p>
            <ul aria-label="Types to convert">
              {problems.map(({ index, name, type, fitting }) => (
                <li key={index}>
                  “{visibleName(name)}”: {type === '' ? 'no type' : visibleName(type)} → {fitting}
                </li>
              ))}
            </ul>
          </div>
          <Button
            size="small"
            onClick={() => {
              onConverted();
              session.change(withStrictTypes(model), session.identity);
            }}
          >
            Convert {plural(problems.length, 'type')}
          </Button>
        </div>
      )}
    </div>
  );
}

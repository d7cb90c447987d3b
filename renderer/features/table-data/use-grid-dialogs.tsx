// The dialogs for the selected cells of a table: Paste Special and Change Cells.
import { useMemo, useState } from 'react';
import type { ReactNode, RefObject } from 'react';
import type { GridHandle } from '../../grid/grid-handle.ts';
import type { TableSource } from '../../workbench/rows/table-source.ts';
import { ChangeCells } from './bulk/change-cells.tsx';
import type { ChangeKind } from './bulk/change-fields.tsx';
import { PasteSpecial } from './paste-special/paste-special.tsx';

interface GridDialogs {
  /** The open dialog, to be rendered on the page. */
  readonly shown: ReactNode;
  readonly pasteSpecial: (text: string) => void;
  readonly changeCells: (kind: ChangeKind) => void;
}

export function useGridDialogs(
  tabId: string,
  source: TableSource | null,
  grid: RefObject<GridHandle | null>,
): GridDialogs {
  const [pasted, setPasted] = useState<string | null>(null);
  const [changing, setChanging] = useState<ChangeKind | null>(null);
  const shown = source && grid.current && (
    <>
      {pasted !== null && (
        <SpecialPaste source={source} grid={grid.current} text={pasted} onClose={() => setPasted(null)} />
      )}
      {changing !== null && (
        <ChangeCells
          tabId={tabId}
          source={source}
          grid={grid.current}
          firstKind={changing}
          onClose={() => setChanging(null)}
        />
      )}
    </>
  );
  return { shown, pasteSpecial: setPasted, changeCells: setChanging };
}

interface SpecialPasteProps {
  readonly source: TableSource;
  readonly grid: GridHandle;
  readonly text: string;
  readonly onClose: () => void;
}

/** The grid keeps its selection while the dialog is open. */
function SpecialPaste({ source, grid, text, onClose }: SpecialPasteProps): ReactNode {
  const target = useMemo(() => ({ source, grid, text }), [source, grid, text]);
  return <PasteSpecial target={target} onClose={onClose} />;
}

// Shows properties of both databases side by side.
import type { ReactNode } from 'react';
import './pair-table.css';

interface PairTableProps {
  readonly label: string;
  readonly leftTitle: string;
  readonly rightTitle: string;
  /** The rows of the table. */
  readonly children: ReactNode;
  readonly note?: ReactNode;
}

export function PairTable({ label, leftTitle, rightTitle, children, note }: PairTableProps): ReactNode {
  return (
    <div className="fill scroll schema-diff-texts" role="region" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{leftTitle}</th>
            <th scope="col">{rightTitle}</th>
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
      {note}
    </div>
  );
}

// The buttons of one element of a list: up, down, remove.
import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../ui/button.tsx';

interface OrderButtonsProps {
  /** For the labels: “column 2”. */
  readonly what: string;
  readonly index: number;
  /** Of the list; the only element cannot be removed. */
  readonly count: number;
  readonly onMove: (to: number) => void;
  readonly onRemove: () => void;
}

export function OrderButtons({ what, index, count, onMove, onRemove }: OrderButtonsProps): ReactNode {
  return (
    <>
      <IconButton label={`Move ${what} up`} disabled={index === 0} onClick={() => onMove(index - 1)}>
        <ArrowUp size={15} />
      </IconButton>
      <IconButton label={`Move ${what} down`} disabled={index === count - 1} onClick={() => onMove(index + 1)}>
        <ArrowDown size={15} />
      </IconButton>
      <IconButton label={`Remove ${what}`} disabled={count === 1} onClick={onRemove}>
        <Trash2 size={15} />
      </IconButton>
    </>
  );
}

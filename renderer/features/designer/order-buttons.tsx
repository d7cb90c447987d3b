// The buttons of one element of a list: up, down, remove.
import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { REMOVES } from './use-item-list.ts';

interface OrderButtonsProps {
  /** Name used in labels: “column 2”. */
  readonly what: string;
  readonly index: number;
  /** Length of the list; the only element cannot be removed. */
  readonly count: number;
  readonly onMove: (to: number) => void;
  readonly onRemove: () => void;
}

export function OrderButtons({ what, index, count, onMove, onRemove }: OrderButtonsProps): ReactNode {
  return (
    <>
      <IconButton label={`Move ${what} up`} isOff={index === 0} onClick={() => onMove(index - 1)}>
        <ArrowUp size={15} />
      </IconButton>
      <IconButton label={`Move ${what} down`} isOff={index === count - 1} onClick={() => onMove(index + 1)}>
        <ArrowDown size={15} />
      </IconButton>
      <IconButton {...REMOVES} label={`Remove ${what}`} isOff={count === 1} onClick={onRemove}>
        <Trash2 size={15} />
      </IconButton>
    </>
  );
}

// A short text beside the element that the pointer rests on or the keyboard reaches.
import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ReactElement, ReactNode } from 'react';
import './tooltip.css';

interface TooltipProps {
  readonly text: ReactNode;
  readonly shortcut?: string | undefined;
  readonly children: ReactElement<Record<string, unknown>>;
}

export function Tooltip({ text, shortcut, children }: TooltipProps): ReactNode {
  return (
    <Base.Root>
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner className="tooltip-positioner" sideOffset={6}>
          <Base.Popup className="tooltip">
            <span>{text}</span>
            {shortcut && <kbd>{shortcut}</kbd>}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

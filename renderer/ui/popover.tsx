// A small panel that belongs to a button.
import { Popover as Base } from '@base-ui/react/popover';
import type { ReactElement, ReactNode } from 'react';
import './menu.css';
import './popover.css';

interface PopoverProps {
  readonly trigger: ReactElement<Record<string, unknown>>;
  readonly children: ReactNode;
  readonly align?: 'start' | 'end';
  readonly side?: 'top' | 'bottom';
}

export function Popover({ trigger, children, align = 'start', side = 'bottom' }: PopoverProps): ReactNode {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className="menu-positioner" align={align} side={side} sideOffset={4} collisionPadding={8}>
          <Base.Popup className="popover">{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

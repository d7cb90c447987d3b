// A modal dialog: title, body, buttons. Esc and a click beside it close it.
import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode, RefObject } from 'react';
import { focusAtOnce } from './focus-at-once.ts';
import { ModalLayer } from './modal-layer.tsx';
import './dialog.css';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children?: ReactNode;
  readonly footer?: ReactNode;
  readonly wide?: boolean;
  readonly role?: 'dialog' | 'alertdialog';
  readonly initialFocus?: RefObject<HTMLElement | null>;
}

export function Dialog({
  title,
  onClose,
  children,
  footer,
  wide = false,
  role = 'dialog',
  initialFocus,
}: DialogProps): ReactNode {
  return (
    <ModalLayer>
      <Base.Root open onOpenChange={(open) => !open && onClose()}>
        <Base.Portal>
          <Base.Backdrop className="dialog-backdrop" />
          <Base.Popup
            className={wide ? 'dialog dialog-wide' : 'dialog'}
            role={role}
            initialFocus={initialFocus ? focusAtOnce(initialFocus) : true}
          >
            <Base.Title className="dialog-title">
              <span>{title}</span>
            </Base.Title>
            {children !== undefined && <div className="dim break-words scroll dialog-body selectable">{children}</div>}
            {footer && <div className="dialog-footer">{footer}</div>}
          </Base.Popup>
        </Base.Portal>
      </Base.Root>
    </ModalLayer>
  );
}

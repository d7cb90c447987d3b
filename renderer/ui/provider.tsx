// Provides the context that the primitives need: the nonce of this document and one delay for all tooltips.
import { CSPProvider } from '@base-ui/react/csp-provider';
import { Tooltip } from '@base-ui/react/tooltip';
import type { ReactNode } from 'react';

const TOOLTIP_DELAY_MS = 500;

/** The nonce the server put into this document's CSP header; browsers hide the attribute but keep the property. */
const cspNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

export function UiProvider({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <CSPProvider nonce={cspNonce}>
      <Tooltip.Provider delay={TOOLTIP_DELAY_MS}>{children}</Tooltip.Provider>
    </CSPProvider>
  );
}

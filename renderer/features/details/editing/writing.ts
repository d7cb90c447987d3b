// Display options for texts being edited, for all values of this window.
import { create } from 'zustand';

interface Writing {
  readonly wraps: boolean;
  readonly isMono: boolean;
}

export const useWriting = create<Writing>()(() => ({ wraps: true, isMono: true }));

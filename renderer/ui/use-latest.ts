// The newest props and state for handlers that outlive a render.
import { useLayoutEffect, useRef, type RefObject } from 'react';

/** The value of the last render, for handlers that outlive it. */
export function useLatest<T>(value: T): RefObject<T> {
  const ref = useRef(value);
  useLayoutEffect(() => {
    ref.current = value;
  });
  return ref;
}

// Components whose code is loaded when they are first shown.
import { useEffect, useState, type ComponentType, type FunctionComponent, type ReactNode } from 'react';

type LazyComponent<P> = FunctionComponent<P> & {
  /** Loads the code ahead of time, so that the component appears at once. */
  readonly load: () => Promise<unknown>;
};

/**
 * Like React's `lazy`, without Suspense: React holds back what follows a fallback for 300 ms, so each first tab of a kind took that long,
 * even with its code at hand. Shows nothing until the code is there; throws while rendering if it cannot be loaded, and tries again when it is
 * mounted again.
 */
export function lazyComponent<P extends object>(
  load: () => Promise<{ readonly default: ComponentType<P> }>,
): LazyComponent<P> {
  let loaded: ComponentType<P> | null = null;
  const begin = async (): Promise<ComponentType<P>> => (loaded = (await load()).default);
  function Lazy(props: P): ReactNode {
    const [Content, setContent] = useState<ComponentType<P> | null>(() => loaded);
    const [failure, setFailure] = useState<{ readonly error: unknown } | null>(null);
    useEffect(() => {
      if (loaded) return;
      let isGone = false;
      begin().then(
        (content) => isGone || setContent(() => content),
        (error: unknown) => isGone || setFailure({ error }),
      );
      return () => void (isGone = true);
    }, []);
    if (failure) throw failure.error;
    return Content && <Content {...props} />;
  }
  return Object.assign(Lazy, { load: begin });
}

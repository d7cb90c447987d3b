// A chart in the window: drawn to fit, read out point by point by the pointer or the arrow keys, and enlarged by dragging.
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import type { ChartSpan } from '#shared/protocol/index.ts';
import { onThemeChange } from '../../../grid/paint/theme.ts';
import { useLatest } from '../../../ui/use-latest.ts';
import { chartText, placesOf, pointText, type NameOf } from './chart-labels.ts';
import { Plot, type PlotSubject } from './plot.ts';

interface PlotViewProps {
  readonly subject: PlotSubject;
  readonly nameOf: NameOf;
  readonly size: PlotSize;
  onSpan(span: ChartSpan | null): void;
}

export interface PlotSize {
  readonly width: number;
  readonly height: number;
}

/** Share of the visible range that a key removes on each side, or adds. */
const ZOOM = 0.25;
const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  PageUp: -10,
  PageDown: 10,
  Home: -Infinity,
  End: Infinity,
};

export function PlotView({ subject, nameOf, size, onSpan }: PlotViewProps): ReactNode {
  const element = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<number | null>(null);
  const plot = usePlot(element, { subject, size, onSpan, place, onPlace: setPlace });
  const { choice, data, span } = subject;
  const last = placesOf(data) - 1;
  useEffect(() => {
    // The rows took the focus with them.
    if (document.activeElement === document.body) element.current?.focus();
  }, []);
  const goTo = (index: number): void => {
    plot.current?.moveTo(index);
    setPlace(index);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const step = STEPS[event.key];
    if (step !== undefined && last >= 0)
      goTo(Math.max(0, Math.min(last, (place ?? (step > 0 ? -1 : last + 1)) + step)));
    else if (event.key === '+' || event.key === '=') zoom(ZOOM);
    else if (event.key === '-') zoom(-ZOOM * 2);
    else if (event.key === 'Escape' && span) onSpan(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const zoom = (share: number): void => {
    const next = enlarged(subject, share);
    if (next !== 'same') onSpan(next);
  };
  return (
    <>
      <div
        ref={element}
        className="inner-focus chart-plot"
        role="img"
        aria-label={chartText(choice, data, nameOf)}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onBlur={() => {
          plot.current?.moveTo(null);
          setPlace(null);
        }}
      />
      <output className="cut small figures picture-place" aria-label="Value at the cursor">
        {place !== null && place <= last ? pointText(choice, data, place, nameOf) : ''}
      </output>
    </>
  );
}

interface Plotted extends Pick<PlotViewProps, 'subject' | 'size' | 'onSpan'> {
  readonly place: number | null;
  readonly onPlace: (place: number | null) => void;
}

/** Plots again when the data, the size, or the theme changes; the cursor stays at its place. */
function usePlot(element: RefObject<HTMLDivElement | null>, plotted: Plotted): RefObject<Plot | null> {
  const { subject, size } = plotted;
  const plot = useRef<Plot | null>(null);
  const theme = useThemeChanges();
  const latest = useLatest(plotted);
  useLayoutEffect(() => {
    const own = new Plot(
      element.current!,
      subject,
      {
        onPlace: (place) => latest.current.onPlace(place),
        onReady: () => plot.current?.moveTo(latest.current.place),
        onSpan: (marked) => latest.current.onSpan(marked),
      },
      size.width,
      size.height,
    );
    plot.current = own;
    return () => own.dispose();
  }, [element, subject, size, theme, latest]);
  return plot;
}

/** Incremented with each change of the theme: a canvas does not follow it automatically. */
function useThemeChanges(): number {
  const [count, setCount] = useState(0);
  useEffect(() => onThemeChange(() => setCount((before) => before + 1)), []);
  return count;
}

/** The span to show after a key; null for everything. */
function enlarged({ choice, data: { whole }, span }: PlotSubject, share: number): ChartSpan | null | 'same' {
  if (!whole || choice.kind === 'bar' || choice.kind === 'histogram') return 'same';
  const shown = span ?? whole;
  const room = (shown.to - shown.from) * share;
  const from = Math.max(whole.from, shown.from + room);
  const to = Math.min(whole.to, shown.to - room);
  if (from >= to) return 'same';
  return from <= whole.from && to >= whole.to ? null : { from, to };
}

/** How far a page of keys goes: a part of what is shown. */
const PAGE = 0.1;

/**
 * Steers a chart by keys: a cursor goes from figure to figure, and marks a stretch.
 * @param {HTMLElement} stage
 * @param {{
 *   overTime: boolean,
 *   count: () => number,
 *   point: (index: number) => void,
 *   leave: () => void,
 *   mark: (stretch: [number, number] | null) => void,
 *   zoom: (stretch: [number, number]) => void,
 *   widen: () => void,
 *   whole: () => boolean,
 *   follow: (index: number) => void,
 * }} chart
 */
export function steer(stage, chart) {
  let cursor = null;
  let anchor = null;
  const [back, on] = chart.overTime ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
  const within = (index) => Math.max(0, Math.min(chart.count() - 1, index));
  const marked = () => (anchor === null || anchor === cursor ? null : [anchor, cursor].toSorted((a, b) => a - b));
  const unmark = () => {
    anchor = null;
    chart.mark(null);
  };

  const goTo = (index, marking) => {
    if (!marking) unmark();
    else anchor ??= cursor ?? within(index);
    cursor = within(index);
    chart.point(cursor);
    if (marking) chart.mark(marked());
  };
  const zoom = ([from, to]) => {
    if (to <= from) return;
    unmark();
    chart.zoom([from, to]);
    cursor = Math.round((to - from) / 2);
  };
  const closer = () => {
    const half = Math.max(1, Math.floor(chart.count() / 4));
    const middle = cursor ?? Math.floor(chart.count() / 2);
    zoom([within(middle - half), within(middle + half)]);
  };
  const escape = () => {
    if (marked()) return unmark() ?? true;
    cursor = null;
    return chart.whole();
  };

  const step = (by, event) =>
    goTo(cursor === null ? (by > 0 ? 0 : chart.count() - 1) : cursor + by, event.shiftKey && chart.overTime);
  const page = () => Math.max(1, Math.round(chart.count() * PAGE));
  const keys = {
    [on]: (event) => step(1, event),
    [back]: (event) => step(-1, event),
    PageDown: (event) => step(page(), event),
    PageUp: (event) => step(-page(), event),
    Home: (event) => goTo(0, event.shiftKey && chart.overTime),
    End: (event) => goTo(chart.count() - 1, event.shiftKey && chart.overTime),
    Enter: () => {
      if (marked()) zoom(marked());
      else if (cursor !== null) chart.follow(cursor);
    },
    ...(chart.overTime && { '+': closer, '=': closer, '-': () => chart.widen(), Escape: escape }),
  };
  stage.addEventListener('keydown', (event) => {
    const act = keys[event.key];
    if (!act || event.altKey || event.ctrlKey || event.metaKey) return;
    // Escape that has nothing to take back is the browser's.
    if (act(event) !== false) event.preventDefault();
  });
  stage.addEventListener('blur', () => {
    cursor = null;
    unmark();
    chart.leave();
  });
}

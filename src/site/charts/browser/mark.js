/** A band over a stretch of a chart; answers what lays it from one place to another, and takes it away. */
export function addBand(stage) {
  const band = document.createElement('div');
  band.className = 'band';
  band.hidden = true;
  stage.append(band);
  return (from, to, least = 0) => {
    band.hidden = from === null || Math.abs(to - from) < least;
    if (band.hidden) return false;
    band.style.left = `${Math.min(from, to)}px`;
    band.style.width = `${Math.abs(to - from)}px`;
    return true;
  };
}

/** Nobody means a stretch that is as short as a click. */
const LEAST = 8;

/**
 * Marks a stretch of a chart with the pointer.
 * @param {HTMLElement} stage
 * @param {(from: number | null, to: number | null, least?: number) => boolean} layBand
 * @param {(x: number) => number | undefined} indexAt
 * @param {(stretch: [number, number]) => void} use
 */
export function markStretch(stage, layBand, indexAt, use) {
  let from = null;
  const at = ({ clientX }) => clientX - stage.getBoundingClientRect().left;
  stage.addEventListener('pointerdown', (event) => {
    // Fingers scroll the page.
    if (event.button === 0 && event.pointerType !== 'touch') from = at(event);
  });
  addEventListener('pointermove', (event) => {
    if (from !== null) layBand(from, at(event), LEAST);
  });
  addEventListener('pointerup', (event) => {
    if (from === null) return;
    const marked = layBand(from, at(event), LEAST) ? [from, at(event)].map((x) => indexAt(x) ?? 0) : null;
    from = null;
    layBand(null, null);
    if (marked) use(marked.toSorted((a, b) => a - b));
  });
}

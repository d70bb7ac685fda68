/**
 * Marks a stretch of a chart with the pointer.
 * @param {HTMLElement} stage
 * @param {(x: number) => number | undefined} indexAt
 * @param {(stretch: [number, number]) => void} use
 */
export function markStretch(stage, indexAt, use) {
  const band = document.createElement('div');
  band.className = 'band';
  band.hidden = true;
  stage.append(band);
  let from = null;
  const at = ({ clientX }) => clientX - stage.getBoundingClientRect().left;
  stage.addEventListener('pointerdown', (event) => {
    // Fingers scroll the page.
    if (event.button === 0 && event.pointerType !== 'touch') from = at(event);
  });
  addEventListener('pointermove', (event) => {
    if (from === null) return;
    const to = at(event);
    band.hidden = Math.abs(to - from) < 8;
    band.style.left = `${Math.min(from, to)}px`;
    band.style.width = `${Math.abs(to - from)}px`;
  });
  addEventListener('pointerup', (event) => {
    if (from === null) return;
    const marked = band.hidden ? null : [from, at(event)].map((x) => indexAt(x) ?? 0);
    from = null;
    band.hidden = true;
    if (marked) use(marked.toSorted((a, b) => a - b));
  });
}

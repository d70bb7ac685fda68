// Sections of which one is shown at a time; without this, they stand below one another under their headings.
for (const [number, group] of [...document.querySelectorAll('[data-tabs]')].entries()) {
  const panels = [...group.querySelectorAll('section')];
  const list = document.createElement('div');
  list.setAttribute('role', 'tablist');
  const tabs = panels.map((panel, index) => {
    const heading = panel.querySelector('h3');
    const tab = document.createElement('button');
    Object.assign(tab, { type: 'button', id: `tab-${number}-${index}`, textContent: heading.textContent });
    tab.className = 'link';
    tab.setAttribute('role', 'tab');
    panel.id = `panel-${number}-${index}`;
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', tab.id);
    tab.setAttribute('aria-controls', panel.id);
    heading.remove();
    return tab;
  });
  const choose = (chosen) => {
    for (const [index, tab] of tabs.entries()) {
      tab.setAttribute('aria-selected', String(index === chosen));
      tab.tabIndex = index === chosen ? 0 : -1;
      panels[index].hidden = index !== chosen;
    }
  };
  list.addEventListener('click', ({ target }) => tabs.includes(target) && choose(tabs.indexOf(target)));
  list.addEventListener('keydown', ({ key }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (!step) return;
    const next = (tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length;
    choose(next);
    tabs[next].focus();
  });
  list.append(...tabs);
  group.prepend(list);
  choose(0);
}

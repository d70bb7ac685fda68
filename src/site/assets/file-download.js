// Links to what the rail has as a file too: a link alone cannot say as what it asks for it.
for (const link of document.querySelectorAll('a[data-as]')) {
  let file = null;
  const take = async () => {
    link.setAttribute('aria-disabled', 'true');
    try {
      const answer = await fetch(link.href, { headers: { accept: link.dataset.as } });
      if (!answer.ok) throw new Error(answer.statusText);
      file = URL.createObjectURL(await answer.blob());
      const saved = Object.assign(document.createElement('a'), { href: file, download: link.download });
      saved.click();
    } catch {
      // The page of the same says why: a session that is over, a network that is away.
      location.assign(link.href);
    } finally {
      link.removeAttribute('aria-disabled');
      if (file) setTimeout(() => URL.revokeObjectURL(file), 60_000);
    }
  };
  link.addEventListener('click', (event) => {
    event.preventDefault();
    if (link.getAttribute('aria-disabled') !== 'true') void take();
  });
}

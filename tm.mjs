let ring = []; let n = 0;
function step() { for (let i = 0; i < 20; i++) { const data = new Array(5000).fill(n); const t = setTimeout(() => data, 9000); ring.push(t); if (ring.length > 40) clearTimeout(ring.shift()); } if (n++ < 400) setImmediate(step); else process.exit(0); }
step();

export { drawChart } from '../site/charts/draw.ts';

import { BarChart, LineChart } from 'echarts/charts';
import { GridComponent, MarkLineComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';

use([LineChart, BarChart, GridComponent, MarkLineComponent, SVGRenderer]);

/** ECharts with what the charts of pages need, and no more. */
export { init, use };

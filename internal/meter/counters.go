package meter

import (
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"
)

// label is a label's name and the values it may have. An empty value stands for none: its cells are not exported.
type label struct {
	name   string
	values []string
}

// counters is a family of counters with one cell for every combination of label values, so that counting is one atomic
// add and no look-up.
type counters struct {
	desc   *prometheus.Desc
	labels []label
	cells  []atomic.Uint64
	// sparse leaves cells out that are zero.
	sparse bool
}

// newCounters makes a family; the last label varies fastest. Without labels it has one cell.
func newCounters(name, help string, labels ...label) *counters {
	size := 1
	names := make([]string, len(labels))
	for i, l := range labels {
		size *= len(l.values)
		names[i] = l.name
	}
	return &counters{
		desc: prometheus.NewDesc(name, help, names, nil), labels: labels, cells: make([]atomic.Uint64, size),
	}
}

func (c *counters) onlyCounted() *counters {
	c.sparse = true
	return c
}

func (c *counters) add(cell int) { c.cells[cell].Add(1) }

// each calls do for every cell that is exported, with its label values in the order of the labels.
func (c *counters) each(do func(values []string, count uint64)) {
	for cell := range c.cells {
		count := c.cells[cell].Load()
		if values, ok := c.valuesOf(cell); ok && (count > 0 || !c.sparse) {
			do(values, count)
		}
	}
}

func (c *counters) valuesOf(cell int) (values []string, ok bool) {
	values = make([]string, len(c.labels))
	for i := len(c.labels) - 1; i >= 0; i-- {
		of := c.labels[i].values
		values[i] = of[cell%len(of)]
		if values[i] == "" {
			return nil, false
		}
		cell /= len(of)
	}
	return values, true
}

// Describe implements prometheus.Collector.
func (c *counters) Describe(ch chan<- *prometheus.Desc) { ch <- c.desc }

// Collect implements prometheus.Collector.
func (c *counters) Collect(ch chan<- prometheus.Metric) {
	c.each(func(values []string, count uint64) {
		ch <- prometheus.MustNewConstMetric(c.desc, prometheus.CounterValue, float64(count), values...)
	})
}

func gauge(name, help string, value *atomic.Int64) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help},
		func() float64 { return float64(value.Load()) })
}

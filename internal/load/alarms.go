package load

import "container/heap"

// alarms hold when members of crowds have to be looked at next: one time each, in a heap. They belong to one goroutine.
type alarms struct {
	members []member
	order   []int32 // members with an alarm, the earliest first
}

// noAlarm is the place of a member without one.
const noAlarm = -1

// set gives a member its alarm, in place of an earlier one.
func (a *alarms) set(i int32, due int64) {
	m := &a.members[i]
	m.due = due
	if m.place == noAlarm {
		heap.Push(a, i)
		return
	}
	heap.Fix(a, m.place)
}

// clear takes a member's alarm away.
func (a *alarms) clear(i int32) {
	if place := a.members[i].place; place != noAlarm {
		heap.Remove(a, place)
	}
}

// next returns the member whose alarm comes first, and when; ok is false without any.
func (a *alarms) next() (i int32, due int64, ok bool) {
	if len(a.order) == 0 {
		return 0, 0, false
	}
	return a.order[0], a.members[a.order[0]].due, true
}

// Len, Less, Swap, Push and Pop implement [heap.Interface].
func (a *alarms) Len() int { return len(a.order) }

// Less implements [heap.Interface].
func (a *alarms) Less(x, y int) bool {
	return a.members[a.order[x]].due < a.members[a.order[y]].due
}

// Swap implements [heap.Interface].
func (a *alarms) Swap(x, y int) {
	a.order[x], a.order[y] = a.order[y], a.order[x]
	a.members[a.order[x]].place, a.members[a.order[y]].place = x, y
}

// Push implements [heap.Interface].
func (a *alarms) Push(x any) {
	i := x.(int32)
	a.members[i].place = len(a.order)
	a.order = append(a.order, i)
}

// Pop implements [heap.Interface].
func (a *alarms) Pop() any {
	i := a.order[len(a.order)-1]
	a.order = a.order[:len(a.order)-1]
	a.members[i].place = noAlarm
	return i
}

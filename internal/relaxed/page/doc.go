// Package page draws executions of the memory model: threads side by side, events in an order that
// agrees with sb and rf, and the relations between them as arrows that can be shown and hidden.
package page

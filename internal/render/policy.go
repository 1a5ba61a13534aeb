package render

// Static pictures show svgMost operations, fewer where these are wider than svgWidest pixels. More
// shows more of what happened around a violation; what is wider does not fit a page or a screen.
const (
	svgMost   = 24
	svgWidest = 1280
)

// mostNames is up to how many partitions a finding names. More names more, in a longer line.
const mostNames = 8

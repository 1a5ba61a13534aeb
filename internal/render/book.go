package render

import (
	_ "embed"
	"encoding/json"
	"html"
	"io"
	"path/filepath"
	"strings"

	"github.com/linsat/linsat/internal/picture"
)

//go:embed book.html
var bookHTML string

// Book writes one self-contained page with several histories to choose from. The page of HTML is in
// it once, and is shown with the data of the history that is chosen.
func Book(w io.Writer, pictures []*picture.Picture) error {
	pages := make([]*pageData, len(pictures))
	var options strings.Builder
	for k, p := range pictures {
		pages[k] = newPage(p)
		options.WriteString("<option>" + html.EscapeString(filepath.Base(p.Source)+": "+p.Verdict) + "</option>")
	}
	data, err := json.Marshal(pages)
	if err != nil {
		return err
	}
	program, hash := script()
	page, err := json.Marshal(strings.NewReplacer("{{.CSS}}", pageCSS, "{{.Hash}}", hash, "{{.Script}}",
		program).Replace(pageHTML))
	if err != nil {
		return err
	}
	_, err = strings.NewReplacer("{{.Options}}", options.String(), "{{.Page}}", string(page), "{{.Pages}}",
		string(data)).WriteString(w, bookHTML)
	return err
}
